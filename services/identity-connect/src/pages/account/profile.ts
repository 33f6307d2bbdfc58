import { type Html, html } from '@icosa/pages'
import { choiceField, linesField, textField } from '../elements/fields.ts'
import type { AccountView } from '../views.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

export function profileSection({ base, person, problem, problemAt }: AccountView): Html {
  const hasProblem = Boolean(problem) && problemAt === 'profile'
  const about = (name: string, label: string, autocomplete: string) => ({
    name,
    label,
    autocomplete,
    value: person.profile[name],
    isOptional: true,
    hasProblem,
  })
  return html`<section aria-labelledby="profile">
<h2 id="profile">Profile</h2>
<p class="muted">Applications see parts of this only with your consent. Leave empty what you do not want to share.</p>
<form method="post" action="${base}/account/profile">
${textField(about('name', 'Name', 'name'))}
<div class="pair">
${textField(about('given_name', 'Given name', 'given-name'))}
${textField(about('family_name', 'Family name', 'family-name'))}
</div>
${textField({ ...about('phone_number', 'Phone number', 'tel'), type: 'tel' })}
<div class="pair">
${textField({ ...about('locale', 'Language', 'language'), hint: 'A code such as en-GB or de.' })}
${choiceField(about('zoneinfo', 'Time zone', 'off'), zones)}
</div>
<fieldset>
<legend>Address</legend>
${linesField(about('street_address', 'Street', 'street-address'))}
<div class="pair">
${textField(about('postal_code', 'Postal code', 'postal-code'))}
${textField(about('locality', 'Town or city', 'address-level2'))}
${textField(about('region', 'Region', 'address-level1'))}
${textField(about('country', 'Country', 'country-name'))}
</div>
</fieldset>
<button>Save profile</button>
</form>
</section>`
}
