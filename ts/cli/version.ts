/** The package's version. */
import { createRequire } from "node:module";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** As in package.json. */
export const VERSION = version;
