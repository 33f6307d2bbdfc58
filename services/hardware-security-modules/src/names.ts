export const serviceName = 'hardware-security-modules'

/** The namespace in the spelling of its original maker. */
export const originalNamespace = 'Microsoft.HardwareSecurityModules'

/** The versions that clients send, the specified one first. */
export const versions = ['2018-10-31-preview', '2021-11-30'] as const

/** The only kind of module that the specified version has. What is behind one here, the operator decides. */
export const skuName = 'SafeNet Luna Network HSM A790'

/** Kinds that a later version has. */
export const laterSkus = ['payShield10K_LMK1_CPS60', 'payShield10K_LMK1_CPS250', 'payShield10K_LMK1_CPS2500'] as const
