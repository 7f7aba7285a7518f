// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
import { plainVariable, secretVariable } from './common-variables.ts';
import type { EnvironmentVariable } from './feature.ts';

export const METRICS_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'MCP_METRICS_PORT',
    'Port of GET /metrics for Prometheus, which is not that of MCP; off: none. If unset: 9464 over HTTP, none on stdio.',
  ),
  plainVariable(
    'MCP_METRICS_HOST',
    'Address of that port; 0.0.0.0 lets other machines read the numbers.',
    '127.0.0.1',
  ),
];

export const TRACE_VARIABLES: readonly EnvironmentVariable[] = [
  plainVariable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector that gets the spans by OTLP over HTTP in JSON, such as http://127.0.0.1:4318. If unset, none are made, and the trace of ' +
      'a request is passed on to the API.',
  ),
  plainVariable(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Whole URL for spans alone, such as http://127.0.0.1:4318/v1/traces.',
  ),
  secretVariable(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for the collector: name=value, several by commas, percent-encoded.',
  ),
  secretVariable('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'The same for spans alone.'),
  plainVariable('OTEL_EXPORTER_OTLP_TIMEOUT', 'Milliseconds that one export may take.', '10000'),
  plainVariable('OTEL_SERVICE_NAME', 'service.name of the spans. If unset, the name of the server.'),
  plainVariable(
    'OTEL_RESOURCE_ATTRIBUTES',
    'Attributes of the server: name=value, several by commas, percent-encoded.',
  ),
  plainVariable(
    'OTEL_TRACES_SAMPLER',
    'Which traces are recorded: always_on, always_off, traceidratio, each also with parentbased_ in front, which follows the client.',
    'parentbased_always_on',
  ),
  plainVariable('OTEL_TRACES_SAMPLER_ARG', 'Share of the traces for traceidratio, from 0 to 1.', '1'),
  plainVariable('OTEL_TRACES_EXPORTER', 'none: no spans are made.', 'otlp'),
  plainVariable('OTEL_SDK_DISABLED', 'true: no spans are made.', 'false'),
  plainVariable(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'Spans that wait for the collector; others are dropped and counted.',
    '2048',
  ),
  plainVariable('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'Spans of one export.', '512'),
  plainVariable('OTEL_BSP_SCHEDULE_DELAY', 'Milliseconds between exports.', '5000'),
];
