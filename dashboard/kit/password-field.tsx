import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

export interface PasswordFieldProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string
  onChange(password: string): void
}

/** Field for a password, which can be shown, pasted and stored in a password manager. */
export function PasswordField({ onChange, ...rest }: PasswordFieldProps) {
  const t = useTexts(KIT_TEXTS)
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t.showPassword, tabIndex: 0 }}
      {...rest}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
