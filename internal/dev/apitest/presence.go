package apitest

const (
	PresencePath = "/v1/presence"

	Counting = "presence: true\n"
)
