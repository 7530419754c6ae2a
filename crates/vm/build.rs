//! Compiles `src/guard.c`, the one C file: `sigsetjmp` may only be called from C.

fn main() {
    println!("cargo:rerun-if-changed=src/guard.c");
    cc::Build::new()
        .file("src/guard.c")
        .opt_level(2)
        // The fortified siglongjmp refuses to leave an alternate signal stack on some systems.
        .flag_if_supported("-U_FORTIFY_SOURCE")
        .warnings(true)
        .compile("code_mode_guard");
}
