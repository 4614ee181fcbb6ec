/** An error that the operator can act on: its message is printed without a stack. */
export class StartupError extends Error {
  override name = "StartupError";
}

/** The configuration is wrong; the message names each wrong variable and never repeats its value. */
export class ConfigError extends StartupError {
  override name = "ConfigError";
}
