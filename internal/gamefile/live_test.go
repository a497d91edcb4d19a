package gamefile_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOthersAreToldWhereTheGameSaysSo(t *testing.T) {
	for text, want := range map[string]bool{"": false, "live: {}\n": false, "live: {channels: false}\n": false, "live: {channels: true}\n": true} {
		g, err := parsed(t, "g.yaml", []byte("name: g\n"+text+"modes: {a: {max: 5}}"))
		require.NoError(t, err, text)
		require.Equal(t, want, g.LiveChannels, text)
	}
}

func TestChangesAreAnnouncedWhereTheGameSaysSo(t *testing.T) {
	for text, want := range map[string]bool{"": false, "live: false\n": false, "live: true\n": true, "live: {channels: true}\n": true} {
		g, err := parsed(t, "g.yaml", []byte("name: g\n"+text+"modes: {a: {max: 5}}"))
		require.NoError(t, err, text)
		require.Equal(t, want, g.Live, text)
	}
}

func TestAWrongLiveSaysWhatWouldBeRight(t *testing.T) {
	for text, want := range map[string]string{
		"live: on":               `g.yaml:2: live: "on" is text; use keys and values`,
		"live: {channels: 1}":    "g.yaml:2: live.channels: 1 is a number; use true or false",
		"live: {channel: true}":  "g.yaml:2: live.channel: the key is unknown; use channels",
		"live: {channels: yes!}": `g.yaml:2: live.channels: "yes!" is text; use true or false`,
	} {
		_, err := parsed(t, "g.yaml", []byte("name: g\n"+text+"\nmodes: {a: {max: 5}}"))
		require.EqualError(t, err, want, text)
	}
}
