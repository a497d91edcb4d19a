//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuOfSelf is the user and system time of this process.
func cpuOfSelf() (time.Duration, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0, err
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}
