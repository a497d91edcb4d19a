package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// signature is a parsed header Framedle-Signature.
type signature struct {
	unix int64
	v1   [][]byte
}

// parseSignature reads "t=<unix seconds>,v1=<hex>[,v1=<hex>…]", in any order
// and without white space. There must be exactly one t, in plain decimal
// without leading zeros so that the signed text is the only way to write it,
// and one to eight v1 of 64 hex digits in either case. Other schemes are
// passed over, so that a v2 can be introduced beside v1.
func parseSignature(header string) (signature, error) {
	var s signature
	if len(header) > maxSignatureHeader {
		return s, badSignature("is longer than 2048 bytes")
	}
	haveTime := false
	for item := range strings.SplitSeq(header, ",") {
		scheme, value, ok := strings.Cut(item, "=")
		if !ok || scheme == "" {
			return signature{}, badSignature("must look like t=<unix seconds>,v1=<hex>")
		}
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
			if len(s.v1) == maxSignatures {
				return signature{}, badSignature("has more than 8 v1")
			}
			sum, err := hex.DecodeString(value)
			if err != nil || len(sum) != sha256.Size {
				return signature{}, badSignature("has a v1 that is not 64 hex digits")
			}
			s.v1 = append(s.v1, sum)
		}
	}
	if !haveTime {
		return signature{}, badSignature("has no t")
	}
	if len(s.v1) == 0 {
		return signature{}, badSignature("has no v1")
	}
	return s, nil
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
