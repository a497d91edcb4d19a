package functions_test

func keysOfADevice() secret {
	return secret{name: "DEVICE_KEYS", old: long("old-device"), new: long("new-device"), separator: ",", refused: 401, made: func(s *service) string {
		return s.field("POST", "/v1/devices", "", nil, "token")
	}, use: func(s *service, token string) int {
		return s.status(s.T, "POST", "/v1/scores", `{"mode":"daily_frame","score":5}`, map[string]string{"Authorization": "Bearer " + token})
	}}
}
