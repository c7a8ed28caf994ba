import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** That of the service. */
const LENGTH_MIN = 12

interface NewPasswordProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string
  onChange(password: string): void
}

/** One field: what is typed can be shown, pasted and kept by a password manager. */
export function NewPassword({ value, onChange, ...rest }: NewPasswordProps) {
  const t = useTexts(TEXTS)
  return (
    <PasswordInput
      label={t.newPassword}
      description={t.passwordHint}
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={LENGTH_MIN}
      {...rest}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
