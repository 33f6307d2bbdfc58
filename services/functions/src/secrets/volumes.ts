import type { Detail } from '@icosa/kernel'

export interface SecretVolume {
  readonly mountPath: string
  readonly projectId?: string
  readonly secret: string
  readonly versions?: readonly { readonly version?: string; readonly path?: string }[]
}

/** Folders of the sandbox and the runtimes. */
const taken = /^\/(proc|sys|dev|tmp|sockets|usr|lib|lib64|bin|node|workspace|runtime)(\/|$)/
const segments = /^(\/[\w-][\w.-]{0,99}){1,10}$/
const fileName = /^[\w-][\w.-]{0,99}$/
export const versionSyntax = /^(latest|[1-9]\d{0,8})$/

export function volumeErrors(volumes: readonly SecretVolume[] = []): Detail[] {
  const at = 'body/serviceConfig/secretVolumes'
  const paths = volumes.map(({ mountPath }) => mountPath)
  return volumes.flatMap(({ mountPath, secret, versions = [] }) => [
    ...(segments.test(mountPath) && !taken.test(mountPath)
      ? []
      : [{ at, message: `mountPath '${mountPath}' cannot be used: choose an absolute path such as /etc/secrets` }]),
    ...(paths.some((other) => other.startsWith(`${mountPath}/`)) ||
    paths.indexOf(mountPath) !== paths.lastIndexOf(mountPath)
      ? [{ at, message: `mountPath '${mountPath}' is used twice, or contains another` }]
      : []),
    ...versions.flatMap(({ version = '', path = secret }) => [
      ...(version === '' || versionSyntax.test(version)
        ? []
        : [{ at, message: `has '${version}' for ${secret}: use latest or a number` }]),
      ...(fileName.test(path) ? [] : [{ at, message: `has the path '${path}': use a file name` }]),
    ]),
    ...(fileName.test(secret) ? [] : [{ at, message: `has the secret '${secret}', which cannot be a file name` }]),
  ])
}

/** Files of a volume, by name, with the version of the secret in each; undefined for the latest. */
export const filesOf = ({ secret, versions = [] }: SecretVolume): Map<string, number | undefined> =>
  new Map(
    (versions.length > 0 ? versions : [{}]).map(({ version, path }: { version?: string; path?: string }) => [
      path || secret,
      version && version !== 'latest' ? Number(version) : undefined,
    ]),
  )
