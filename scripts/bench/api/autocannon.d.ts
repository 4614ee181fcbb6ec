/** The part of autocannon that the benchmarks use; it brings no types of its own. */
declare module "autocannon" {
  type Request = { method: string; path: string; headers: Record<string, string>; body?: string };
  type Options = {
    url: string;
    method: "GET" | "POST";
    connections: number;
    /** Seconds. */
    duration: number;
    headers: Record<string, string>;
    body?: string;
    requests: { setupRequest?: (request: Request) => Request }[];
  };
  type Result = {
    /** Seconds that it really took. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
    errors: number;
    non2xx: number;
  };
  export default function autocannon(options: Options): Promise<Result>;
}
