//! Guest local time is UTC, whatever TZ says. A binary of its own: TZ is process-wide.

mod common;

use std::process::Command;

use common::{finished, run};

const BODY: &str = "const d = new Date(2024, 0, 31, 12); const old = new Date(-62135596800000);
    return [d.getTimezoneOffset(), d.toISOString(), d.getHours(), new Date('2024-07-01T00:00').getTime(), String(new Date(0)), old.getHours()]";
const UTC: &str =
    r#"[0,"2024-01-31T12:00:00.000Z",12,1719792000000,"Thu Jan 01 1970 00:00:00 GMT+0000 (UTC)",0]"#;

#[test]
fn local_time_is_utc() {
    if std::env::var_os("TZ").is_some() {
        let end = run(BODY);
        let utc = UTC.to_owned();
        let without_zone_name = UTC.replace(" (UTC)", "");
        assert!(end == finished(&utc) || end == finished(&without_zone_name), "{end:?}");
        return;
    }
    let me = std::env::current_exe().expect("test binary");
    for zone in ["Asia/Tokyo", "America/New_York", "<-05>5", "UTC", ":/nowhere"] {
        let status =
            Command::new(&me).args(["--exact", "local_time_is_utc"]).env("TZ", zone).status().expect("run");
        assert!(status.success(), "TZ={zone}");
    }
}
