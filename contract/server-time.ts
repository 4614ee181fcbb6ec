/** On every answer of the API: the business clock when it was given, ISO-8601 UTC. */
export const SERVER_TIME_HEADER = "server-time";
