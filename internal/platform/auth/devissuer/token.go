package devissuer

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/framedle/leaderboards/internal/game"
)

// header is the same for every token. cat marks a session token, as opposed
// to the other tokens that a Clerk instance signs with the same key.
const header = `{"alg":"RS256","cat":"cl_B7d4PD111AAA","kid":"ins_development","typ":"JWT"}`

// Claims is who a token speaks for. Player is required; the rest is left out
// of the token where empty.
type Claims struct {
	Player  string
	Name    string
	Picture string
	Country string
	// Groups holds the active organization: at most one, as in Clerk's tokens.
	Groups []string
}

// payload is version 2 of Clerk's session token. Clerk puts name, picture and
// country there when the instance's token is customised so.
type payload struct {
	AuthorizedParty string        `json:"azp"`
	Expires         int64         `json:"exp"`
	FactorAges      [2]int        `json:"fva"`
	IssuedAt        int64         `json:"iat"`
	Issuer          string        `json:"iss"`
	NotBefore       int64         `json:"nbf"`
	Organization    *organization `json:"o,omitempty"`
	Session         string        `json:"sid"`
	Status          string        `json:"sts"`
	Subject         string        `json:"sub"`
	Version         int           `json:"v"`
	Name            string        `json:"name,omitempty"`
	Picture         string        `json:"picture,omitempty"`
	Country         string        `json:"country,omitempty"`
}

type organization struct {
	ID   string `json:"id"`
	Role string `json:"rol"`
}

// Issue returns a token that is valid from at, cut to whole seconds, for life.
// It refuses an id that could not be a player's, more than one group, and a
// life under one second.
func (i *Issuer) Issue(c Claims, at time.Time, life time.Duration) (string, error) {
	if err := game.ValidPlayer(c.Player); err != nil {
		return "", err
	}
	if len(c.Groups) > 1 {
		return "", fmt.Errorf("%d groups: a session token carries one active organization at most", len(c.Groups))
	}
	if life < time.Second {
		return "", fmt.Errorf("a token cannot live %v: use one second or more", life)
	}
	p := payload{
		AuthorizedParty: authorizedParty,
		Expires:         at.Add(life).Unix(),
		FactorAges:      [2]int{0, -1},
		IssuedAt:        at.Unix(),
		Issuer:          issuer,
		NotBefore:       at.Unix(),
		Session:         "sess_development",
		Status:          "active",
		Subject:         c.Player,
		Version:         2,
		Name:            c.Name,
		Picture:         c.Picture,
		Country:         c.Country,
	}
	if len(c.Groups) == 1 {
		p.Organization = &organization{ID: c.Groups[0], Role: "member"}
	}
	return i.sign(p)
}

func (i *Issuer) sign(p payload) (string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return "", errors.New("the claims cannot be written as JSON")
	}
	encode := base64.RawURLEncoding.EncodeToString
	input := encode([]byte(header)) + "." + encode(text)
	sum := sha256.Sum256([]byte(input))
	signature, err := rsa.SignPKCS1v15(nil, i.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("signing the token: %w", err)
	}
	return input + "." + encode(signature), nil
}
