// The package's entry. Types stand in index.d.ts (written by hand, the contract); code in ts/, compiled to dist/.
export * from "./dist/index.js";
