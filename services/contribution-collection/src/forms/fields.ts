import type { Static } from '@icosa/contract'
import { type Detail, invalid } from '@icosa/kernel'
import type { FormField } from './contract.ts'

export type Field = Static<typeof FormField>

/** Refuses duplicate names, and choices without options. */
export function checkFields(fields: readonly Field[]): void {
  const wrong: Detail[] = []
  fields.forEach(({ name, type, options = [] }, nth) => {
    if (fields.findIndex((other) => other.name === name) < nth)
      wrong.push({ at: `body/fields/${nth}/name`, message: `is already the name of another field: ${name}` })
    if ((type === 'select' || type === 'radio') && options.length === 0)
      wrong.push({ at: `body/fields/${nth}/options`, message: `must not be empty for type ${type}` })
  })
  if (wrong.length > 0) invalid(wrong)
}

const checks: Readonly<Record<NonNullable<Field['type']>, (text: string, field: Field) => string | undefined>> = {
  text: () => undefined,
  textarea: () => undefined,
  email: (text) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? undefined : 'must be an email address'),
  url: (text) => (URL.canParse(text) && /^https?:/.test(text) ? undefined : 'must be an HTTP or HTTPS URL'),
  telephone: (text) => (/^\+?[\d ()./-]{3,30}$/.test(text) ? undefined : 'must be a telephone number'),
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? undefined : 'must be a number'),
  date: (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text)
      ? undefined
      : 'must be a date, such as 2026-11-16',
  checkbox: (text) => (/^(true|false)$/.test(text) ? undefined : 'must be true or false'),
  select: (text, { options = [] }) => (options.includes(text) ? undefined : `must be one of ${options.join(', ')}`),
  radio: (text, { options = [] }) => (options.includes(text) ? undefined : `must be one of ${options.join(', ')}`),
}

/** Refuses unknown, missing and invalid responses. */
export function checkResponses(fields: readonly Field[], responses: Readonly<Record<string, string>>): void {
  const wrong: Detail[] = []
  for (const name of Object.keys(responses))
    if (!fields.some((field) => field.name === name))
      wrong.push({ at: `body/responses/${name}`, message: 'is not a field of the form' })
  for (const field of fields) {
    const text = Object.hasOwn(responses, field.name) ? responses[field.name] : undefined
    const isEmpty = text === undefined || text === ''
    const message = isEmpty
      ? field.required && 'must be filled in'
      : checks[field.type ?? 'text'](text as string, field)
    if (message) wrong.push({ at: `body/responses/${field.name}`, message })
  }
  if (wrong.length > 0) invalid(wrong)
}
