package app

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// Getenv reads an environment variable without surrounding white space, which consoles and
// files of secrets like to add.
func Getenv(name string) string { return strings.TrimSpace(os.Getenv(name)) }

// trimmed makes any source of variables trim its values as Getenv does.
func trimmed(getenv func(string) string) func(string) string {
	return func(name string) string { return strings.TrimSpace(getenv(name)) }
}

// list splits at commas, trims spaces and drops empty items.
func list(text string) []string {
	var all []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// unquoted removes quotes around a value in which quotes have no meaning.
func unquoted(text string) string { return strings.TrimSpace(strings.Trim(text, `"' `)) }

// origins is a list of origins in the form that browsers send: lower case, no slash at the
// end.
func origins(text string) []string {
	all := list(unquoted(text))
	for i, origin := range all {
		all[i] = strings.ToLower(strings.TrimRight(unquoted(origin), "/"))
	}
	return all
}

// allowedOrigins reads CORS_ORIGINS: origins, or * for any.
func allowedOrigins(text string) ([]string, error) {
	all := origins(text)
	var errs []error
	for _, origin := range all {
		if origin != "*" && strings.Contains(origin, "*") {
			errs = append(errs, fmt.Errorf("%s: %.200q: a * within an origin matches nothing; name each origin, or use * alone for any", envAllowedOrigins, origin))
			continue
		}
		u, err := url.Parse(origin)
		if err == nil && u.Port() != "" {
			_, err = strconv.ParseUint(u.Port(), 10, 16)
		}
		bare := err == nil && u.Scheme != "" && u.Host != "" && u.User == nil && !u.ForceQuery && u.Path+u.RawQuery+u.Fragment == ""
		if origin != "*" && !bare {
			errs = append(errs, fmt.Errorf("%s: %.200q is not an origin: use scheme and host without a path, such as https://www.example.com or http://localhost:5173, or * for any", envAllowedOrigins, origin))
		}
	}
	return all, errors.Join(errs...)
}

// issuer is Clerk's Frontend API URL as the claim iss has it: no slash at the end.
func issuer(text string) string { return strings.TrimRight(unquoted(text), "/") }

// What begins and ends the first and last line of a PEM block.
const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
	pemDash  = "-----"
)

// pemLines restores the line ends of PEM, which shells, consoles and files of variables turn
// into \n, spaces or nothing, and removes quotes around it. It returns other text unchanged,
// for the parser to refuse.
func pemLines(text string) string {
	text = unquoted(strings.ReplaceAll(strings.ReplaceAll(text, `\r`, "\n"), `\n`, "\n"))
	var out strings.Builder
	for rest := text; rest != ""; {
		block, after, whole := cutBlock(rest)
		if !whole {
			return text
		}
		out.WriteString(block)
		rest = strings.TrimLeft(after, " \t\r\n\v\f\"'")
	}
	return out.String()
}

// cutBlock cuts off the first PEM block and puts a line end after each of its parts.
func cutBlock(text string) (block, rest string, whole bool) {
	after, found := strings.CutPrefix(text, pemBegin)
	kind, after, named := strings.Cut(after, pemDash)
	body, after, ended := strings.Cut(after, pemEnd+kind+pemDash)
	if !found || !named || !ended {
		return "", "", false
	}
	return pemBegin + kind + pemDash + "\n" + strings.Join(strings.Fields(body), "\n") + "\n" + pemEnd + kind + pemDash + "\n", after, true
}
