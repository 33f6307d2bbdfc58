import type { Module } from '../plan.ts'
import { codeModules } from './codes.ts'
import { errorModules } from './errors.ts'
import { parameterModules } from './parameters.ts'
import { reauthenticationModules } from './reauthentication.ts'
import { refreshModules } from './refresh.ts'
import { requestObjectModules } from './request-objects.ts'
import { scopeModules } from './scopes.ts'
import { serverModules } from './server.ts'
import { userInfoModules } from './userinfo.ts'

/**
 * The modules of the basic, implicit and hybrid plans; each declares the response types it applies to. Those that wait come
 * first, so that the others run meanwhile.
 */
export const coreModules: readonly Module[] = [
  ...reauthenticationModules,
  ...refreshModules,
  ...serverModules,
  ...userInfoModules,
  ...scopeModules,
  ...parameterModules,
  ...errorModules,
  ...requestObjectModules,
  ...codeModules,
]
