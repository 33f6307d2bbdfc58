import { attribute, type Html, html } from '@icosa/pages'

export interface Field {
  readonly name: string
  readonly label: string
  readonly autocomplete: string
  /** For pages with two fields of the same name. */
  readonly id?: string
  readonly value?: string | undefined
  readonly hint?: string | undefined
  readonly isOptional?: boolean
  readonly isFixed?: boolean
  /** The problem on the page may concern this field. */
  readonly hasProblem?: boolean
}

interface TextField extends Field {
  readonly type?: 'text' | 'email' | 'tel'
}

export function textField(field: TextField): Html {
  const { id = field.name, type = 'text' } = field
  const plain = type !== 'text'
  return html`<div class="field">${labelOf(field)}
<input id="${id}" name="${field.name}" type="${type}" value="${field.value}" autocomplete="${field.autocomplete}"${[
    attribute('inputmode', plain && type),
    attribute('autocapitalize', plain && 'none'),
    attribute('spellcheck', plain && 'false'),
    attribute('maxlength', type === 'email' && 254),
    attribute('readonly', field.isFixed),
    ...common(field),
  ]}>
${hintOf(field)}</div>`
}

/** Browsers drop the first newline in a textarea, so that of the value is kept. */
export function linesField(field: Field): Html {
  const { id = field.name } = field
  return html`<div class="field">${labelOf(field)}
<textarea id="${id}" name="${field.name}" rows="2" autocomplete="${field.autocomplete}"${common(field)}>
${field.value}</textarea>
${hintOf(field)}</div>`
}

/** The button is shown by password.js, without which it has no function. */
export function passwordField(field: Omit<Field, 'value' | 'autocomplete'> & { readonly isNew: boolean }): Html {
  const { id = field.name, isNew } = field
  const described = { ...field, hint: isNew ? 'At least 12 characters.' : field.hint }
  return html`<div class="field">${labelOf(field)}
<div class="secret"><input id="${id}" name="${field.name}" type="password" autocomplete="${
    isNew ? 'new-password' : 'current-password'
  }" autocapitalize="none" spellcheck="false"${[
    attribute('minlength', isNew && 12),
    attribute('maxlength', isNew && 128),
    ...common(described),
  ]}><button type="button" class="secondary" data-reveal aria-controls="${id}" aria-label="Show ${field.label.toLowerCase()}" hidden>Show</button>
<span class="unseen" role="status"></span></div>
${hintOf(described)}</div>`
}

/** No choice is preselected. A value that is not a choice is kept. */
export function choiceField(field: Field, choices: readonly string[]): Html {
  const { id = field.name, value = '' } = field
  const all = ['', ...(value === '' || choices.includes(value) ? [] : [value]), ...choices]
  return html`<div class="field">${labelOf(field)}
<select id="${id}" name="${field.name}" autocomplete="${field.autocomplete}"${common(field)}>
${all.map((choice) => html`<option value="${choice}"${attribute('selected', choice === value)}>${choice === '' ? 'Not set' : choice}</option>`)}
</select>
${hintOf(field)}</div>`
}

type Described = Pick<Field, 'id' | 'name' | 'label' | 'hint' | 'isOptional' | 'hasProblem'>

const labelOf = ({ id, name, label }: Described) => html`<label for="${id ?? name}">${label}</label>`

const hintOf = ({ id, name, hint }: Described) => hint && html`<p class="muted" id="${id ?? name}-hint">${hint}</p>`

function common({ id, name, hint, isOptional, hasProblem }: Described) {
  const described = [hint && `${id ?? name}-hint`, hasProblem && 'problem'].filter(Boolean)
  return [
    attribute('required', !isOptional),
    attribute('aria-describedby', described.length > 0 && described.join(' ')),
  ]
}
