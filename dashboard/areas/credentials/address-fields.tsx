import { Button, TextInput } from '@mantine/core'
import { fill, useTexts } from '../../kit/texts.ts'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

interface AddressFieldsProps {
  /** One or two addresses, as typed. */
  value: [first: string, second: string]
  onChange(value: [first: string, second: string]): void
  /** Address from which the person's own calls come. */
  yourIp: string | null
}

/** The one or two addresses from which a key may be used. */
export function AddressFields({ value, onChange, yourIp }: AddressFieldsProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const [first, second] = value
  const isOffered = yourIp !== null && !value.includes(yourIp) && (first === '' || second === '')
  return (
    <>
      <TextInput
        label={t.firstAddress}
        description={t.addressHint}
        value={first}
        required
        onChange={({ currentTarget }) => onChange([currentTarget.value, second])}
      />
      <TextInput
        label={t.secondAddress}
        value={second}
        onChange={({ currentTarget }) => onChange([first, currentTarget.value])}
      />
      {isOffered && (
        <div>
          <Button
            variant="default"
            size="sm"
            onClick={() => onChange(first === '' ? [yourIp, second] : [first, yourIp])}
          >
            {fill(t.thisComputer, { address: yourIp })}
          </Button>
        </div>
      )}
    </>
  )
}

/** Returns the typed addresses without the empty ones. */
export const typedAddresses = (value: readonly string[]): string[] =>
  value.map((address) => address.trim()).filter((address) => address !== '')
