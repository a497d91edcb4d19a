//go:build !unix

package main

import (
	"errors"
	"time"
)

func cpuOfSelf() (time.Duration, error) {
	return 0, errors.New("this system does not tell a process its CPU time; use Linux, macOS or a BSD")
}
