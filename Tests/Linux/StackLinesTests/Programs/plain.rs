use std::net::UdpSocket;

#[inline(never)]
fn connect_server(host: &str) -> bool {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(host).is_ok() // the call
}

fn main() {
    let connected = connect_server("127.0.0.1:9"); // in main
    std::process::exit(connected as i32);
}
// SPDX-License-Identifier: Apache-2.0
