/** A field with its label, what helps, and what is wrong with it: one line or several. */
import { type Ref } from "react";
import { FieldError, Input, Label, Text, TextArea, TextField, type TextFieldProps } from "react-aria-components";
import "./field.css";

type Props = Omit<TextFieldProps, "className" | "children"> & {
  label: string;
  /** The label is for those who hear the page, not for those who see it. */
  hush?: boolean;
  help?: string;
  /** The sentence of what was refused. */
  wrong?: string;
  lines?: number;
  /** Of code: letters of one width. */
  mono?: boolean;
  placeholder?: string;
  field?: Ref<HTMLInputElement & HTMLTextAreaElement>;
};

export function Field({ label, hush, help, wrong, lines, mono, placeholder, field, ...rest }: Props) {
  return (
    <TextField {...rest} className={mono ? "field mono" : "field"} isInvalid={Boolean(wrong)}>
      <Label className={hush ? "visually-hidden" : ""}>{label}</Label>
      {lines ? <TextArea ref={field} rows={lines} placeholder={placeholder} /> : <Input ref={field} placeholder={placeholder} />}
      {help && !wrong && (
        <Text slot="description" className="note">
          {help}
        </Text>
      )}
      <FieldError className="wrong">{wrong}</FieldError>
    </TextField>
  );
}
