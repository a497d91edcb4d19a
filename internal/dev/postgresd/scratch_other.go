//go:build !linux

package postgresd

// scratchParent is where temporary directories go: the system's own place.
func scratchParent() string { return "" }
