-- +goose Up

-- The device's own id: what is kept under it is the owner's to export and to erase. Null: an
-- earlier version kept the claim, or the owner or the device was erased.
ALTER TABLE claims ADD COLUMN device_id text COLLATE "C";
