import { hostname, userInfo } from 'node:os'
import type { Environment } from '@icosa/settings'

/** Identifies the operator in the audit log: by a chosen name, and by the account, which cannot be chosen. */
export function operatorIdentity(name: string | undefined, env: Environment) {
  const account = `${env.SUDO_USER === undefined ? '' : `${env.SUDO_USER} as `}${accountName()}@${hostname()}`
  return {
    caller: `operator ${name === undefined ? account : `${name} (${account})`}`,
    address: env.SSH_CONNECTION?.split(' ', 1)[0] ?? '',
  }
}

/** In a container, the user may have no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
