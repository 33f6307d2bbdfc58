import { oneOf, type Static, Type } from '@icosa/contract'
import { arm, plainName } from '@icosa/dialects/arm'
import { versions } from '../names.ts'

/** Valid names, in paths and in ids. */
export const names = {
  resourceGroupName: Type.String({
    pattern: '^[\\p{L}\\p{N}_.()\\-]{1,90}$',
    description: '1 to 90 letters, digits, _ . ( ) -',
  }),
  sqlVirtualMachineName: plainName(64),
  sqlVirtualMachineGroupName: plainName(64),
  availabilityGroupListenerName: plainName(64),
}

export const api = arm('Vendor.SqlVirtualMachine', names, versions[0])

export const location = Type.String({ pattern: '^[A-Za-z0-9 ._()-]{1,100}$' })
export const page = { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) }

export const ImageSku = oneOf('Developer', 'Express', 'Standard', 'Enterprise', 'Web')
export type ImageSku = Static<typeof ImageSku>
