/** A sentence that concerns the whole place where it stands: what went wrong, what is missing, what has happened. */
import type { ReactNode } from "react";
import "./notice.css";

type Props = { tone?: "info" | "success" | "warning" | "danger"; children: ReactNode; action?: ReactNode };

export function Notice({ tone = "info", children, action }: Props) {
  return (
    <div className={`notice ${tone}`} role={tone === "danger" ? "alert" : "status"}>
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}
