package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// signature is a parsed header Framedle-Signature.
type signature struct {
	unix   int64
	v1, v2 [][]byte
}

// parseSignature reads "t=<unix seconds>,v2=<hex>[,v2=<hex>…]", with v1 in place of v2 or in
// addition, in any order and without white space. There must be exactly one t, in decimal
// without leading zeros, so that a signed time has only one notation. There must be at least
// one signature, at most eight of each scheme, each of 64 hex digits in either case. It
// ignores other schemes, so that a v3 can be introduced beside v2.
func parseSignature(header string) (signature, error) {
	var s signature
	if len(header) > maxSignatureHeader {
		return s, badSignature("is longer than 2048 bytes")
	}
	haveTime := false
	for item := range strings.SplitSeq(header, ",") {
		scheme, value, ok := strings.Cut(item, "=")
		if !ok || scheme == "" {
			return signature{}, badSignature("must look like t=<unix seconds>,v2=<hex>")
		}
		var err error
		switch scheme {
		case "t":
			if haveTime {
				return signature{}, badSignature("has more than one t")
			}
			haveTime = true
			if s.unix, ok = parseUnix(value); !ok {
				return signature{}, badSignature("has a t that is not a time in whole unix seconds")
			}
		case "v1":
			s.v1, err = addSum(s.v1, scheme, value)
		case "v2":
			s.v2, err = addSum(s.v2, scheme, value)
		}
		if err != nil {
			return signature{}, err
		}
	}
	if !haveTime {
		return signature{}, badSignature("has no t")
	}
	if len(s.v1)+len(s.v2) == 0 {
		return signature{}, badSignature("has neither v2 nor v1")
	}
	return s, nil
}

func addSum(sums [][]byte, scheme, value string) ([][]byte, error) {
	if len(sums) == maxSignatures {
		return nil, badSignature("has more than 8 " + scheme)
	}
	sum, err := hex.DecodeString(value)
	if err != nil || len(sum) != sha256.Size {
		return nil, badSignature("has a " + scheme + " that is not 64 hex digits")
	}
	return append(sums, sum), nil
}

func parseUnix(s string) (int64, bool) {
	if len(s) > maxUnixDigits {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}

func badSignature(what string) *Error {
	return &Error{Code: Invalid, Reason: "the header Framedle-Signature " + what}
}
