"""FastMCP over stdio: `<document> <base URL>`."""

import json
import sys

import httpx2
from fastmcp import FastMCP

file, base_url = sys.argv[1:]
with open(file, encoding="utf-8") as text:
    document = json.load(text)
FastMCP.from_openapi(document, httpx2.AsyncClient(base_url=base_url)).run(show_banner=False)
