/** Who else is here: pictures beside one another, those who write with a ring, and their names for those who hear it. */
import { Avatar } from "./avatar";
import "./faces.css";

export type Face = { id: string; name: string; picture?: string; writes: boolean };
const SHOWN = 4;

export function Faces({ faces }: { faces: Face[] }) {
  const said = faces.map((one) => (one.writes ? `${one.name}, writing` : one.name)).join("; ");
  return (
    <div className="faces" role="status" aria-label={faces.length ? `Also here: ${said}` : undefined}>
      {faces.slice(0, SHOWN).map((one) => (
        <span key={one.id} className={one.writes ? "face writes" : "face"} title={one.writes ? `${one.name} is writing` : `${one.name} is here`}>
          <Avatar name={one.name} picture={one.picture} />
        </span>
      ))}
      {faces.length > SHOWN && <span className="face more" aria-hidden="true">+{faces.length - SHOWN}</span>}
    </div>
  );
}
