import { isPattern, operationsOfService, permissionsOf, type Service } from '@icosa/kernel'
import { suggestion, UsageError } from '@icosa/module'
import { platform } from '@icosa/platform'
import { operatorWith } from '@icosa/platform/operator'
import { allServices, unbuilt } from './services.ts'

/** Parses `backup:*,braille-translation:translateToDots` as patterns; throws on one that matches no permission. */
export async function readPermissions(
  words = '*',
  offered?: readonly Service[], // all services, whose code takes seconds to load
): Promise<readonly string[]> {
  const patterns = words.split(',').map((pattern) => pattern.trim())
  for (const pattern of patterns)
    if (!isPattern(pattern))
      throw new UsageError(`'${pattern}' is not a permission: write '*' or 'backup:List*', several with commas.`)
  if (patterns.includes('*')) return patterns
  const services = [...(offered ?? (await allServices())), platform, operatorWith()]
  const all = services.flatMap(operationsOfService).map(({ permission }) => permission)
  const grantable = [...all, ...all.map(serviceOf), ...unbuilt.map((name) => `${name}:*`)]
  for (const pattern of patterns) {
    if (grantable.includes(pattern) || all.some(permissionsOf([pattern]))) continue
    throw new UsageError(
      `No operation has the permission '${pattern}'.${suggestion(pattern, [...new Set(grantable)])} \`icosa operations\` lists them.`,
    )
  }
  return patterns
}

const serviceOf = (permission: string) => `${permission.split(':', 1)[0]}:*`
