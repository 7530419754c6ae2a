// `npm start`: sets up, then runs the main job. `npm start -- path/to/program.js` runs another program in it.
import { resolve } from "node:path";
import { run } from "./lib.mjs";
import { setup } from "./setup.mjs";

setup();
// npm changes to the root; a path is meant from where the user stands.
const from = process.env.INIT_CWD ?? process.cwd();
const programs = process.argv.slice(2).map((path) => resolve(from, path));
run(process.execPath, ["examples/main-job.mjs", ...programs]);
