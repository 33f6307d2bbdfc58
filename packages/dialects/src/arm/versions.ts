import { Failure } from '@icosa/kernel'

type Versions = readonly [string, ...string[]]

/**
 * Serves a version newer than the specified one as that, with a warning: clients move on, and most of the API stays the
 * same. Refuses unknown older ones, which were never served; a strict server refuses both.
 */
export function checkVersion(version: string | null, versions: Versions, strict: boolean): void {
  const [specified] = versions
  if (version === null)
    throw new Failure('invalid', `Add the query parameter api-version, such as ${specified}.`, {
      code: 'MissingApiVersionParameter',
    })
  if (versions.includes(version)) return
  if (strict || !isDate(version) || version.slice(0, 10) < specified.slice(0, 10))
    throw new Failure('invalid', `The api-version ${version} is not one of ${versions.join(', ')}.`, {
      code: 'InvalidApiVersionParameter',
    })
}

function isDate(version: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})(-preview)?$/.exec(version)?.[1]
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(String(day)) // rejects the 31st of February
}
