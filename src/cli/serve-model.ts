export const serveModel = 1;
