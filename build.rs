//! Link settings of a Node.js addon, nothing else.

fn main() {
    napi_build::setup();
}
