import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["__test__/**/*.spec.ts"],
    // A crash of the addon must fail its own file only, and globals (signal handlers, threads) must not be shared.
    pool: "forks",
    // Deadlines are tested with real clocks; more processes than cores would make them lie.
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
