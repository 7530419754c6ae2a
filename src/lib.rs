//! The Node.js binding of code-mode.
