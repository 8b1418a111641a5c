package main

import (
	"net"
	"os"
)

//go:noinline
func connectServer(host string) bool {
	_, err := net.Dial("udp", host) // the call
	return err == nil
}

func main() {
	if connectServer("127.0.0.1:9") { // in main
		os.Exit(1)
	}
}
// SPDX-License-Identifier: Apache-2.0
