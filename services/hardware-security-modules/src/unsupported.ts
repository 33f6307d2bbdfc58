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
    instead: 'A module has one address, that of the platform. Leave it out.',
  },
  outboundDependencies: {
    name: '`outboundNetworkDependenciesEndpoints` of later versions',
    answer: 404,
    instead: 'A module calls nobody.',
  },
  network: {
    name: '`networkProfile`, `stampId` and `zones`',
    answer: 'no effect',
    instead: 'They are kept and shown. A module is reached at its `endpoint`, not in a network of its own.',
  },
  interfaceId: {
    name: '`networkInterfaces[].id`',
    answer: 'never',
    instead: 'There are no such interfaces. It may be sent back, and is not kept.',
  },
  states: {
    name: '`provisioningState` `Allocating`, `Connecting` and `CheckingQuota`',
    answer: 'never',
    instead: 'A module is `Provisioning` until it is there. A quota that is exceeded is answered at once, with 409.',
  },
  remote: {
    name: 'over PKCS#11 from another machine: making, deleting, wrapping and verifying, encryption, AES, Ed25519; and the tools of the maker',
    answer: 'never',
    instead: 'There one signs, and decrypts by RSA-OAEP. The rest is done over HTTP.',
  },
  ownVault: {
    name: 'a key of a module that keeps the master key of the same platform',
    answer: 'never',
    instead: 'The vault opens before modules do. `ICOSA_MASTER_KEY` names a key of another token.',
  },
  systemData: { name: '`systemData`', answer: 'never', instead: 'It may be sent back, and is not kept.' },
} as const satisfies Gaps
