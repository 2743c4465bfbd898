package domain

// CheckState says whether a [PostureCheck] defends.
type CheckState string

// The states of a check.
const (
	CheckOn            CheckState = "on"
	CheckOff           CheckState = "off"
	CheckNotApplicable CheckState = "n/a" // there is nothing to defend
)

// PostureCheck is one thing that the settings can defend against or leave open.
type PostureCheck struct {
	Name     string     `json:"name"` // of the defence: "no-helper" is on if the helper is off
	State    CheckState `json:"state"`
	Required bool       `json:"demanded"` // by --hardened; the others are only reported
	Settings []string   `json:"settings"` // that decide it
	Gain     string     `json:"gain"`     // what an attacker gains if it is off, in one sentence

	Uses string `json:"uses,omitempty"` // what decides it, such as the providers of root keys
}
