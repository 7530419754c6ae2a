//! TypeScript declarations.
