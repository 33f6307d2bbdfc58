import type { Gaps } from '@icosa/module'

export const unsupported = {
  laterSkus: {
    name: 'the SKUs `payShield10K_LMK1_CPS60` and the like',
    answer: 501,
    instead: 'Payment modules are another kind of device. Use `SafeNet Luna Network HSM A790`.',
  },
  managementNetworkProfile: {
    name: '`managementNetworkProfile`',
    answer: 501,
    instead: 'A module has one address, that of the platform. Omit it.',
  },
  outboundDependencies: {
    name: '`outboundNetworkDependenciesEndpoints` of later versions',
    answer: 501,
    instead: 'A module makes no outbound calls.',
  },
  network: {
    name: '`networkProfile`, `stampId` and `zones`',
    answer: 'no effect',
    instead: 'They are stored and returned. A module is reached at its `endpoint`, not in its own network.',
  },
  interfaceId: {
    name: '`networkInterfaces[].id`',
    answer: 'never',
    instead: 'There are no such interfaces. It is accepted in requests and not stored.',
  },
  states: {
    name: '`provisioningState` `Allocating`, `Connecting` and `CheckingQuota`',
    answer: 'never',
    instead: 'A module is `Provisioning` until it is ready. An exceeded quota is refused immediately, with 409.',
  },
  remote: {
    name: "over remote PKCS#11: creating, deleting, wrapping, verifying, encrypting, AES, Ed25519; and the vendor's tools",
    answer: 'never',
    instead: 'Remote PKCS#11 supports signing, and decryption by RSA-OAEP. Use HTTP for the rest.',
  },
  ownVault: {
    name: 'a key of a module that protects the master key of the same platform',
    answer: 'never',
    instead: 'The vault opens before the modules. `ICOSA_MASTER_KEY` names a key of another token.',
  },
  systemData: { name: '`systemData`', answer: 'never', instead: 'It is accepted in requests and not stored.' },
} as const satisfies Gaps
