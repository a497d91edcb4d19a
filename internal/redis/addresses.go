package redis

import (
	"fmt"
	"net/url"
	"strings"
)

// Address is where a database is.
type Address struct{ Name, URL, Token string }

// Listed are the names of two lists of databases, separated by commas: one of name=url and one
// of name=token.
type Listed struct{ URLs, Tokens string }

// Addresses reads databases from the two lists, in the order of the first. No error shows a
// token.
func (l Listed) Addresses(urls, tokens string) ([]Address, error) {
	its, _, err := named(l.Tokens, tokens)
	if err != nil {
		return nil, err
	}
	where, names, err := named(l.URLs, urls)
	if err != nil {
		return nil, err
	}
	var all []Address
	for _, name := range names {
		u, err := url.Parse(where[name])
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, fmt.Errorf("%s: the address of %q is not one that begins with https:// or http://", l.URLs, name)
		}
		if its[name] == "" {
			return nil, fmt.Errorf("%s has no token for %q; add %s=TOKEN", l.Tokens, name, name)
		}
		all = append(all, Address{name, where[name], its[name]})
		delete(its, name)
	}
	for name := range its {
		return nil, fmt.Errorf("%s has a token for %q, which has no address in %s", l.Tokens, name, l.URLs)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is empty; write name=https://…, one for each database, with commas", l.URLs)
	}
	return all, nil
}

// named reads a list of name=value.
func named(list, text string) (values map[string]string, names []string, err error) {
	values = map[string]string{}
	for i, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		switch {
		case !ok || name == "" || value == "" || strings.ContainsAny(name, ":/ "):
			return nil, nil, fmt.Errorf("%s: entry %d is not name=value, such as eu=…", list, i+1)
		case values[name] != "":
			return nil, nil, fmt.Errorf("%s has %q twice; each database needs a name of its own", list, name)
		}
		values[name], names = value, append(names, name)
	}
	return values, names, nil
}
