//go:build unix

package upstash

import "syscall"

// isSilent reports whether a socket is open and nothing has arrived on it.
func isSilent(socket syscall.RawConn) bool {
	silent := false
	err := socket.Read(func(fd uintptr) bool {
		var one [1]byte
		_, err := syscall.Read(int(fd), one[:])
		silent = err == syscall.EAGAIN
		return true // without waiting
	})
	return silent && err == nil
}
