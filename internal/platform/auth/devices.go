package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/framedle/leaderboards/internal/game"
)

const (
	// deviceVersion begins a device token. A session token never does, since
	// its header is a JSON object in base64.
	deviceVersion = "dev1."
	// deviceRandom is how many random bytes make an id: as hard to guess as a
	// key of 128 bits.
	deviceRandom = 16
	// deviceToken is the length of every token in bytes: the version, 22
	// characters of id, a full stop, and 43 of MAC.
	deviceToken = len(deviceVersion) + 22 + 1 + 43
	// maxDeviceKeys bounds what a forged token can cost; a rotation needs two.
	maxDeviceKeys = 4
	// deviceDomain keeps a MAC made here from meaning anything elsewhere, even
	// under a key that serves elsewhere too.
	deviceDomain = "framedle device v1\n"
)

// Device is an anonymous player, known by what a device was given.
type Device struct {
	// ID is the player's id, dev_ and 22 characters of [A-Za-z0-9_-].
	ID string
	// Token is what the device has to present: 71 characters that an
	// Authorization header can carry. It has no end; keep it like a password.
	Token string
}

// Devices issues and verifies device tokens. It is safe for concurrent use.
type Devices struct {
	keys [][]byte
}

// NewDevices takes the valid keys, one to four of at least 32 characters. The first one
// signs; the others verify tokens that they have signed earlier. When a key is removed, its
// tokens become invalid, unless their devices were given new ones meanwhile: see
// [Devices.Verify].
func NewDevices(keys []string) (*Devices, error) {
	if len(keys) == 0 || len(keys) > maxDeviceKeys {
		return nil, fmt.Errorf("DEVICE_KEYS has %d keys: use one to %d, the signing one first", len(keys), maxDeviceKeys)
	}
	d := &Devices{}
	for i, key := range keys {
		if len(key) < minSecret {
			return nil, fmt.Errorf("DEVICE_KEYS: key %d of %d is too short: use at least 32 characters", i+1, len(keys))
		}
		if key != strings.TrimSpace(key) {
			return nil, fmt.Errorf("DEVICE_KEYS: key %d of %d begins or ends with white space: remove it", i+1, len(keys))
		}
		d.keys = append(d.keys, []byte(key))
	}
	return d, nil
}

// Issue makes a new anonymous player from 16 bytes of random, which must be
// unguessable: crypto/rand.Reader outside tests. It fails only when random
// does.
func (d *Devices) Issue(random io.Reader) (Device, error) {
	raw := make([]byte, deviceRandom)
	if _, err := io.ReadFull(random, raw); err != nil {
		return Device{}, fmt.Errorf("making a device id: %w", err)
	}
	return d.device(base64.RawURLEncoding.EncodeToString(raw)), nil
}

// Verify returns the player that a token was issued to, and the token that the device should
// use from now on: the same one, or one signed by the first key if an older key has signed
// it. The error is an *Error: Missing for an empty token, else Invalid.
func (d *Devices) Verify(token string) (Device, error) {
	if token == "" {
		return Device{}, &Error{Code: Missing, Reason: "a device token is required"}
	}
	id, sum, ok := parseDevice(token)
	if !ok {
		return Device{}, &Error{Code: Invalid, Reason: "this is not a device token"}
	}
	// Every key is tried: the time taken must not tell which matched.
	match := 0
	for _, key := range d.keys {
		match |= subtle.ConstantTimeCompare(deviceMAC(key, id), sum)
	}
	if match != 1 {
		return Device{}, &Error{Code: Invalid, Reason: "invalid device token signature"}
	}
	return d.device(id), nil
}

// IsDeviceToken reports whether a token is a device token by its beginning; otherwise it may
// be a session token.
func IsDeviceToken(token string) bool { return strings.HasPrefix(token, deviceVersion) }

// IsDevice reports whether a player id is that of an anonymous player.
func IsDevice(player string) bool { return strings.HasPrefix(player, game.DevicePrefix) }

func (d *Devices) device(id string) Device {
	return Device{
		ID:    game.DevicePrefix + id,
		Token: deviceVersion + id + "." + base64.RawURLEncoding.EncodeToString(deviceMAC(d.keys[0], id)),
	}
}

// parseDevice takes a token apart, in its one canonical form.
func parseDevice(token string) (id string, sum []byte, ok bool) {
	if len(token) != deviceToken || !IsDeviceToken(token) || strings.ContainsAny(token, "\r\n") {
		return "", nil, false
	}
	id, text, ok := strings.Cut(token[len(deviceVersion):], ".")
	strict := base64.RawURLEncoding.Strict()
	raw, idErr := strict.DecodeString(id)
	sum, sumErr := strict.DecodeString(text)
	ok = ok && errors.Join(idErr, sumErr) == nil && len(raw) == deviceRandom && len(sum) == sha256.Size
	return id, sum, ok
}

func deviceMAC(key []byte, id string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(deviceDomain + id))
	return h.Sum(nil)
}
