package upstashtest

import "strconv"

// appendCommand appends one command as RESP2 clients send it: an array of bulk
// strings.
func appendCommand(dst []byte, args ...[]byte) []byte {
	dst = appendLength(dst, '*', len(args))
	for _, arg := range args {
		dst = appendLength(dst, '$', len(arg))
		dst = append(dst, arg...)
		dst = append(dst, '\r', '\n')
	}
	return dst
}

func appendLength(dst []byte, kind byte, n int) []byte {
	dst = append(dst, kind)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, '\r', '\n')
}
