package host

// heapReserve is by how much the heap may grow besides what the collector allows it, in
// bytes. The smallest functions have 256 MB, of which they use a tenth.
const heapReserve = 32 << 20

// reserve has garbage be collected less often, for as long as what it returns is kept:
// memory that counts for the heap and that nobody touches, so that there is none of it.
//
// A function keeps a few megabytes, and the collector begins anew whenever they have
// doubled: every hundred requests or so, which is a third of a request's CPU. A higher
// GOGC would do the same, and let a process that keeps much grow to a multiple of it;
// this adds the same to all. Where the environment says how garbage is collected, it
// holds.
func reserve(getenv func(string) string) []byte {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return nil
	}
	return make([]byte, heapReserve)
}
