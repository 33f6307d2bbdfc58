import type { Environment, Setting } from '@icosa/settings'

export const hidden = '(secret)'

/** Shorter ones are words such as 'yes', which would hide harmless text. */
const minLength = 6

/** Passwords in addresses, and the values of secret settings with the parts of them that are secret on their own. */
function secretsIn(env: Environment, settings: readonly Setting[]): string[] {
  const values = settings.flatMap(({ variable, secret }) => (secret && env[variable] ? [env[variable]] : []))
  const parts = values.flatMap((value) => [value, ...value.split(/[\s,;=]+/), ...passwordIn(value)])
  return [...new Set(parts)].filter((text) => text.length >= minLength).toSorted((a, b) => b.length - a.length)
}

/** The password of an address, encoded and decoded: messages may contain either. */
function passwordIn(address: string): string[] {
  const { password = '' } = URL.parse(address) ?? {}
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password] // its percent signs encode nothing
  }
}

/** The text without any value that must not be shown, wherever it comes from, such as the message of an error. */
export function withoutSecrets(text: string, env: Environment, settings: readonly Setting[]): string {
  const known = secretsIn(env, settings).reduce((left, secret) => left.replaceAll(secret, hidden), text)
  return known.replace(/(?<=:\/\/[^\s"/@:]*:)[^\s"/@]+(?=@)/g, hidden)
}
